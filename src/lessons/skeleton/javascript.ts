import type { Parts } from './parts.js'

/** The client in JavaScript. */
export const javascript: Parts = ({ state, pkce }) => [
  '// A client of the authorization code grant: three steps, and one more check with each lesson.',
  '// NODE_EXTRA_CA_CERTS names the CA of the lab; oauth-lab ca env prints the line.',
  ...(state || pkce ? [`import { ${pkce ? 'createHash, ' : ''}randomBytes } from 'node:crypto'`] : []),
  "import { createInterface } from 'node:readline/promises'",
  '',
  "const { ISSUER = 'https://localhost:8443', CLIENT_ID = 'demo', CLIENT_SECRET = '' } = process.env",
  "const redirectUri = 'http://127.0.0.1/callback'",
  '',
  '// 1. Send the browser to the authorization server.',
  ...(state ? ["const state = randomBytes(16).toString('base64url')"] : []),
  ...(pkce
    ? [
        "const verifier = randomBytes(32).toString('base64url')",
        "const challenge = createHash('sha256').update(verifier).digest('base64url')",
      ]
    : []),
  "const request = new URL('/authorization', ISSUER)",
  'request.search = new URLSearchParams({',
  "  response_type: 'code',",
  '  client_id: CLIENT_ID,',
  '  redirect_uri: redirectUri,',
  ...(state ? ['  state,'] : []),
  ...(pkce ? ['  code_challenge: challenge,', "  code_challenge_method: 'S256',"] : []),
  '}).toString()',
  "console.log('Open', request.href)",
  '',
  '// 2. Read the address that the browser was sent back to.',
  'const input = createInterface({ input: process.stdin })',
  "const [line] = await new Promise(resolve => input.once('line', (...given) => resolve(given)))",
  'const answer = new URL(line).searchParams',
  'input.close()',
  ...(state
    ? ["if (answer.get('state') !== state) throw new Error('this is the answer to another login')"]
    : []),
  '',
  '// 3. Redeem the code.',
  "const redeemed = fetch(new URL('/token', ISSUER), {",
  "  method: 'POST',",
  "  headers: { authorization: 'Basic ' + btoa(CLIENT_ID + ':' + CLIENT_SECRET) },",
  '  body: new URLSearchParams({',
  "    grant_type: 'authorization_code',",
  "    code: answer.get('code'),",
  '    redirect_uri: redirectUri,',
  ...(pkce ? ['    code_verifier: verifier,'] : []),
  '  }),',
  '})',
  'const response = await redeemed',
  'console.log(response.status, Object.keys(await response.json()))',
]
