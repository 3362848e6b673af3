import type { ProbeName } from '../../model.js'
import type { Plan } from '../model.js'
import { accessToken } from './access-token.js'
import { iss, state } from './answer.js'
import { atHash } from './at-hash.js'
import { mixUp } from './mix-up.js'
import { nonce } from './nonce.js'
import { audience, code, logout, oneUse, opaque, pkce, redirect, rotation, scope, secret } from './thread.js'

export const PLANS: Readonly<Record<ProbeName, Plan>> = {
  state,
  iss,
  nonce,
  at_hash: atHash,
  'mix-up': mixUp,
  'access-token': accessToken,
  code,
  redirect,
  pkce,
  'one-use': oneUse,
  opaque,
  secret,
  scope,
  audience,
  rotation,
  logout,
}
