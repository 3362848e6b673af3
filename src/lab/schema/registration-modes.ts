/** The ways in which clients register at a lab: nobody does, those with a token, or anyone. */
export const REGISTRATION_MODES = ['off', 'token', 'open'] as const
export type RegistrationMode = (typeof REGISTRATION_MODES)[number]
