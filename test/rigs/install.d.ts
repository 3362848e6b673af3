/** True when the packages of a rig are those of its lock file. */
export function isInstalled(rig: string): boolean
