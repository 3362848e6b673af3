import type { ProbeName } from '../model.js'

export interface Sentences {
  /** In a run that the client finished, after `your client`. */
  readonly done: string
  /** In short, for the list of runs. */
  readonly finished: string
  /** Every lie fooled the client. */
  readonly unchecked: string
  /** The client finished no right run, where more can be said than that. */
  readonly unfinished?: string
  /** The client sends no value of its own, or always the same. */
  readonly sends?: { readonly nothing: string; readonly constant?: string }
}

const CODE = { done: 'redeemed the code', finished: 'code redeemed' } as const
const TOKENS = { done: 'accepted the tokens', finished: 'tokens accepted' } as const

export const SENTENCES: Readonly<Record<ProbeName, Sentences>> = {
  state: {
    ...CODE,
    unchecked: 'Its state is sent, but not compared.',
    sends: {
      nothing: 'Your client sends no state, so it takes the login of somebody else for its own.',
      constant:
        'Your client sends the same state every time. An attacker reads it once and knows it for ever.',
    },
  },
  iss: { ...CODE, unchecked: 'Its iss is not compared.' },
  nonce: {
    ...TOKENS,
    unchecked: 'Its nonce is sent, but not compared with that of the ID token.',
    sends: {
      nothing: 'Your client sends no nonce, or asks for no ID token: the tokens of any login fit it.',
      constant: 'Your client sends the same nonce every time, so the tokens of an older login fit it.',
    },
  },
  at_hash: {
    ...TOKENS,
    unchecked: 'Its access token is not compared with at_hash of the ID token.',
    sends: {
      nothing:
        'Your client asks for no ID token, so there is no at_hash to compare: ask for the scope openid.',
    },
  },
  'mix-up': {
    done: 'took the code to a token endpoint',
    finished: 'code taken to a token endpoint',
    unchecked: 'The server that answers is not compared with the server that was asked.',
  },
  'access-token': {
    done: 'logged somebody in',
    finished: 'logged in',
    unchecked: 'It does not ask for which client the tokens were made.',
  },
  code: { ...CODE, unchecked: '', unfinished: 'Your client redeemed no code.' },
  redirect: { ...CODE, unchecked: 'It takes an answer at any address for the answer to its own request.' },
  pkce: {
    done: 'got tokens for a foreign code',
    finished: 'tokens issued',
    unchecked: 'Nothing ties the code to the login of your client.',
    sends: {
      nothing: 'Your client sends no code_challenge, so a stolen code is as good as its own.',
      constant: 'Your client sends the same code_challenge every time: an older code fits its verifier.',
    },
  },
  'one-use': {
    done: 'went on, or sent the code again,',
    finished: 'went on, or sent the code again',
    unchecked: 'A code that was sent is spent: stop with an error, and begin a new login.',
  },
  opaque: {
    done: 'went on',
    finished: 'went on',
    unchecked: 'It does not compare sub of userinfo with sub of the ID token.',
    unfinished:
      'Your client asked userinfo in no right run. Its access token is an opaque text here: it is shown, and not read.',
  },
  secret: {
    done: 'went on',
    finished: 'went on',
    unchecked: 'Without its secret, a client stops before it sends a code.',
    unfinished:
      'The server refused the secret of your client every time: RFC 6749 §2.3.1 encodes it as in a form before Basic.',
  },
  scope: {
    done: 'went on',
    finished: 'went on',
    unchecked: 'It does not read the scope that was granted.',
    unfinished: 'Your client finished no right run. It needs the scope openid records:read, and no other.',
  },
  audience: {
    done: 'went on',
    finished: 'a token for userinfo alone',
    unchecked: '',
    unfinished:
      'The token of your client names no server that it is for: send resource with the address of userinfo.',
  },
  rotation: {
    done: 'went on',
    finished: 'went on',
    unchecked: 'A client that gets no new token stops, and begins a new login.',
    unfinished: 'Your client did not go on after a refusal: refresh, and keep the newest refresh token.',
  },
  logout: {
    done: 'ended without an error',
    finished: 'logged out',
    unchecked: 'An answer other than 200 means that the token lives on.',
    unfinished: 'Your client ended, and revoked no token.',
  },
}
