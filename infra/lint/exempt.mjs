// Folders and files that still contain the old wording. Remove an entry once its text is rewritten; add none.

export const exempt = [];
