import { decodeSdJwt, type SdJwt } from '../../protocol/tokens/sd-jwt.js'
import { OPAQUE, readable } from './jwt-input.js'

/** Takes an SD-JWT apart. @throws UsageError */
export function decodeGivenSdJwt(token: string): SdJwt {
  return readable(() => decodeSdJwt(token), OPAQUE)
}
