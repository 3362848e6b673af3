import { readChallenge } from '../parameters/challenge.js'

/** Reads a challenge with either method, whatever the client is registered for. A request without a method means plain. */
export const readAnyChallenge: typeof readChallenge = (values, client) =>
  readChallenge(values, { ...client, code_challenge_methods: ['S256', 'plain'] })

/** Ignores the challenge, as a server does that has never heard of PKCE (RFC 6749 §3.1). */
export const ignoreChallenge: typeof readChallenge = () => undefined
