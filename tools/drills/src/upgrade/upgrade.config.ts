/** The commit that the upgrade test starts from, if it is not the newest release. */
export const upgradeFrom = (): string | undefined => process.env['UPGRADE_FROM'];
