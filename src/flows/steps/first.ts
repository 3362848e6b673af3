import type { TokenResponse } from '../../protocol/oauth/token.js'
import type { FlowOptions } from '../options.js'
import { obtainByPassword } from '../password.js'
import type { AllPorts } from '../ports.js'
import type { Steps, Walk } from '../walk.js'
import { obtainByCode } from './obtain-by-code.js'

/** Returns the given token, or gets unverified tokens by password or by a code. */
export async function* obtainFirst(walk: Walk, ports: AllPorts, wanted: FlowOptions): Steps<TokenResponse> {
  if (wanted.accessToken !== undefined) return { access_token: wanted.accessToken, token_type: 'Bearer' }
  if (wanted.first === 'password') return yield* obtainByPassword(walk, ports, wanted)
  const { tokens } = yield* obtainByCode(walk, ports, wanted, { verify: false })
  return tokens
}
