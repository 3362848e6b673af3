import type { ProbeName } from '../../model.js'
import type { Plan } from '../model.js'
import { accessToken } from './access-token.js'
import { iss, state } from './answer.js'
import { atHash } from './at-hash.js'
import { mixUp } from './mix-up.js'
import { nonce } from './nonce.js'

/** The plan of each probe. */
export const PLANS: Readonly<Record<ProbeName, Plan>> = {
  state,
  iss,
  nonce,
  at_hash: atHash,
  'mix-up': mixUp,
  'access-token': accessToken,
}
