/** The purpose of the parameters of requests and answers, in short. */
const meanings: Readonly<Record<string, string>> = {
  response_type: 'what the answer is to hold',
  client_id: 'who asks',
  redirect_uri: 'where the answer goes',
  scope: 'what is asked for',
  state: 'ties the answer to this request',
  nonce: 'ties the id_token to this request',
  code_challenge: 'hash of the code_verifier',
  code_challenge_method: 'how it was hashed',
  grant_type: 'what is traded for a token',
  code: 'authorization code, single use',
  code_verifier: 'proves who began the flow',
  client_secret: 'proves who the client is',
  client_password: 'proves who the client is',
  username: 'the resource owner',
  password: 'of the resource owner',
  csrf: 'ties the form to this browser',
  iss: 'who answers',
  error: 'what went wrong',
  error_description: 'the same for people',
  error_uri: 'where to read more',
  refresh_token: 'gets the next access token',
  token: 'the token it is about',
  assertion: 'who the resource owner is, signed',
  device_code: 'what the device asks with',
  user_code: 'what the person compares',
  subject_token: 'the token that is exchanged',
  subject_token_type: 'what kind it is',
  audience: 'whom the new token is for',
  token_type: 'how the token is presented',
}

/** The meaning of a parameter; empty for one that is not known. */
export function fieldMeaning(name: string): string {
  return Object.hasOwn(meanings, name) ? meanings[name]! : ''
}
