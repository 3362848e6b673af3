import { randomBytes } from 'node:crypto'
import { splitUrl } from '../../protocol/http/message.js'
import { tokenHash } from '../../protocol/tokens/verify.js'
import { isUserinfo } from './front.js'
import type { Layer, Members } from './model.js'
import { readableIdToken } from './plans/parts.js'
import type { ProbeLab } from './probe-lab.js'

/** Opaque names for access tokens, which a client can show and not read. */
export interface Hiding {
  /** Names the access token of an answer; at_hash of the ID token fits the name. */
  readonly hide: (members: Members) => Promise<Members>
  /** Puts the token back at userinfo. */
  readonly layer: Layer
}

export function hiding({ resign }: Pick<ProbeLab, 'resign'>): Hiding {
  const tokens = new Map<string, string>()
  return {
    async hide(members) {
      const { access_token: token, id_token: id } = members
      if (typeof token !== 'string') return members
      const name = randomBytes(32).toString('base64url')
      tokens.set(`Bearer ${name}`, `Bearer ${token}`)
      const readable = readableIdToken(members)
      if (readable === undefined || typeof id !== 'string') return { ...members, access_token: name }
      const hash = tokenHash(name, String(readable.header.alg))
      return { ...members, access_token: name, id_token: await resign(id, { at_hash: hash }) }
    },
    layer(request, next) {
      if (!isUserinfo(splitUrl(request.url).path)) return next(request)
      const headers = request.headers.map(
        ([name, value]) =>
          [name, /^authorization$/i.test(name) ? (tokens.get(value) ?? value) : value] as const,
      )
      return next({ ...request, headers })
    },
  }
}
