/** Whether an HTTP status reports success. */
export const isSuccess = (status: number): boolean => status < 300;

/** Whether an HTTP status is an error of the server. */
export const isServerError = (status: number): boolean => status >= 500;
