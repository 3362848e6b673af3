/** The version that the emulator reports, and behaves as. */
export const SERVER_VERSION = 'v1.32.13'
