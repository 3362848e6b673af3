/** The purpose of the parameters of requests and answers, in short. */
const meanings: Readonly<Record<string, string>> = {
  response_type: 'the kind of answer wanted',
  client_id: 'the client',
  redirect_uri: 'address for the answer',
  scope: 'the access wanted',
  state: 'ties the answer to this request',
  nonce: 'ties the id_token to this request',
  code_challenge: 'hash of the code_verifier',
  code_challenge_method: 'its hash function',
  grant_type: 'the grant in use',
  code: 'authorization code, single use',
  code_verifier: 'proves who began the flow',
  client_secret: 'proves who the client is',
  client_password: 'proves who the client is',
  username: 'the resource owner',
  password: 'the password of that user',
  otp: 'the one-time code of that user',
  second_factor: 'names the login that waits for it',
  csrf: 'ties the form to this browser',
  iss: 'issuer of the answer',
  error: 'code of the error',
  error_description: 'the error in a sentence',
  error_uri: 'page with more about it',
  refresh_token: 'gets the next access token',
  token: 'the token in question',
  assertion: 'signed: the resource owner',
  device_code: 'code of the device',
  user_code: 'code for the person to compare',
  subject_token: 'the token that is exchanged',
  subject_token_type: 'its kind',
  audience: 'recipient of the new token',
  token_type: 'way to present the token',
}

/** The meaning of a parameter; empty for one that is not known. */
export function fieldMeaning(name: string): string {
  return Object.hasOwn(meanings, name) ? meanings[name]! : ''
}
