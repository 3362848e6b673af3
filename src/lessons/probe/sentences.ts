import type { ProbeName } from '../model.js'

/** The sentences about a probe. */
export interface Sentences {
  /** The thing that a client did in a run that it finished, after `your client`. */
  readonly done: string
  /** The same in short, for the list of runs. */
  readonly finished: string
  /** The fault of a client that was fooled by every lie. */
  readonly unchecked: string
  /** The faults of a client that sends no value of its own, and of one that sends the same value every time. */
  readonly sends?: { readonly nothing: string; readonly constant?: string }
}

const CODE = { done: 'redeemed the code', finished: 'code redeemed' } as const
const TOKENS = { done: 'accepted the tokens', finished: 'tokens accepted' } as const

/** The sentences about each probe. */
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
}
