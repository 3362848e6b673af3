import { splitUrl, text } from '../../protocol/http/message.js'
import type { ClientProcess } from './client-process.js'
import { formOf, isToken, isUserinfo, layered } from './front.js'
import type { Layer, Members, Observed } from './model.js'
import type { ProbedServer } from './probe-lab.js'

/** Milliseconds for the use of tokens, for a client that goes on listening. */
const SETTLE_MS = 1500

export interface Watch {
  /** Of the token endpoint, from the server and at the client. */
  readonly answers: () => { readonly issued: Members; readonly told: Members }
  /** Lays the lies of a run in front of the servers. */
  readonly lay: (lies: (server: ProbedServer) => Layer) => void
  /** Forgets what was seen before the client has its answer. */
  readonly begin: () => void
  /** Waits for the reaction of the client to its answer. */
  readonly reaction: (
    client: ClientProcess,
    finishes: 'code' | 'end',
    listens: boolean,
    ms: number,
  ) => Promise<void>
  readonly observed: (client: ClientProcess, status: number | undefined) => Observed
  readonly end: () => void
}

/** None where the answer was a refusal. */
const membersOf = (status: number, body: Uint8Array): Members =>
  status === 200 ? (JSON.parse(text(body)) as Members) : {}

export function watchClient(servers: ReadonlySet<ProbedServer>): Watch {
  let redeemed = false
  let tried: number | undefined
  let used = false
  let codes = 0
  let refreshes = 0
  let revoked = false
  let audiences: readonly string[] = []
  let issued: Members = {}
  let told: Members = {}
  const stops = [...servers].map(({ lab }) =>
    lab.events.subscribe(({ type, ...event }) => {
      if (type === 'token.issued' && 'aud' in event) audiences = [event.aud].flat().map(String)
      if (type === 'token.revoked' || type === 'refresh_token.revoked') revoked = true
      if (type === 'code.redeemed') redeemed = true
      if (type === 'code.redeemed' || type === 'token.refused') tried ??= performance.now()
    }),
  )
  const inner: Layer = async (request, next) => {
    const response = await next(request)
    if (isToken(splitUrl(request.url).path) && codes <= 1 && refreshes === 0)
      issued = membersOf(response.status, response.body)
    return response
  }
  const outer: Layer = async (request, next) => {
    const { path } = splitUrl(request.url)
    if (isUserinfo(path)) used = true
    const grant = isToken(path) ? formOf(request).get('grant_type') : undefined
    if (grant === 'authorization_code') codes += 1
    if (grant === 'refresh_token') refreshes += 1
    const response = await next(request)
    if (grant === 'authorization_code' && codes === 1) told = membersOf(response.status, response.body)
    return response
  }
  return {
    answers: () => ({ issued, told }),
    lay(lies) {
      for (const server of servers) server.front.set(layered(outer, layered(lies(server), inner)))
    },
    begin() {
      redeemed = false
      tried = undefined
      used = false
      codes = 0
      refreshes = 0
      revoked = false
      audiences = []
      issued = {}
      told = {}
    },
    async reaction(client, finishes, listens, ms) {
      const end = performance.now() + ms
      const settled = () => {
        if (client.ended()) return true
        if (tried === undefined) return false
        return finishes === 'code' || (listens && performance.now() > tried + SETTLE_MS)
      }
      while (!settled() && performance.now() < end) await new Promise(resolve => setTimeout(resolve, 20))
    },
    observed: (client, status) => ({
      redeemed,
      used,
      codes,
      refreshes,
      revoked,
      audiences,
      tried: tried !== undefined,
      endedWell: client.ended() ? client.succeeded() : status !== undefined && status < 400,
    }),
    end() {
      for (const stop of stops) stop()
      for (const { front } of servers) front.set()
    },
  }
}
