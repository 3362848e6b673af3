/** What a person does about an error, by its code. */
const moves: Readonly<Record<string, string>> = {
  access_denied: 'the resource owner said no; start again and log in',
  interrupted: 'start again when you are ready',
  invalid_client: 'check the client and its secret in the lab file',
  invalid_grant: 'start again with a new authorization request: a code is redeemed once',
  invalid_scope: 'ask for a scope that the server knows and the client may have',
  issuer_mismatch: 'this answer may come from another server; trust nothing in it',
  login_cancelled: 'start again and log in',
  login_failed: 'try again with the right password: --user NAME:PASSWORD, or --password-stdin',
  state_mismatch: 'drop this answer and start again: it belongs to another request',
  timeout: 'wait longer: --timeout 2m',
  unauthorized_client: 'register the client for this grant in the lab file',
}

/** The next move after an error; undefined where none is known. */
export function nextMove(code: string): string | undefined {
  return Object.hasOwn(moves, code) ? moves[code] : undefined
}
