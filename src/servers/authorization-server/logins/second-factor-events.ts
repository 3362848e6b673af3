import type { Citation } from '../../../protocol/rules/rule.js'

/** An event of the page that asks for a one-time code. */
export type SecondFactorEvent =
  | {
      readonly type: 'second_factor.shown'
      readonly client_id: string
      readonly username: string
    }
  | {
      readonly type: 'second_factor.succeeded'
      readonly client_id: string
      readonly username: string
      /** The authentication context class of the login now. */
      readonly acr: string
    }
  | {
      readonly type: 'second_factor.failed'
      readonly client_id: string
      readonly username: string
      /** `used`: the code is right, and was used before. */
      readonly reason: 'code' | 'used' | 'csrf' | 'busy' | 'limited'
      readonly description: string
      readonly rule: Citation
    }
