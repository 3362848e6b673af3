import { lineStream, openStreams } from '../../protocol/http/line-stream.js'
import {
  bytes,
  type HeaderList,
  type HttpRequest,
  type HttpResponse,
  header,
  headerValues,
  jsonResponse,
  mediaType,
  redirectResponse,
  text,
  textResponse,
  withNosniff,
} from '../../protocol/http/message.js'
import { sourceOf } from '../../protocol/http/network.js'
import { createPageKey, PRIVATE_PAGE } from '../../protocol/http/page-key.js'
import { createRouter, type RouteHandler, type Site } from '../../protocol/http/site.js'
import { createRateLimit } from '../../protocol/rate-limit.js'
import type { NumberedEvent } from '../../protocol/recent-events.js'
import { type NumberedFact, readFact } from '../../protocol/room/facts.js'
import type { LabDocument } from '../../protocol/room/lab-document.js'
import { isJsonObject, parsedJson } from '../../protocol/values.js'
import { boardStream } from './board-stream.js'
import { createLanes } from './lanes.js'
import { readLead } from './lead.js'
import type { Board, Lane, ShownBoard } from './model.js'
import { type LabFeed, ownEvents } from './owners.js'
import type { Room } from './room.js'

/** Bytes of the largest body: 200 facts. */
export const MAX_BODY = 64 * 1024

/** Bytes of the other bodies. */
const MAX_SMALL_BODY = 4 * 1024

const MAX_FACTS = 200

/** Wrong codes and keys, of one network and in all. A code has 40 secret bits: guessing takes two thousand years. */
const WRONG = { attempts: 20, window: 60_000 }
const WRONG_IN_ALL = { attempts: 1_000, window: 60_000 }

/** Requests with facts of one participant. */
const FACT_REQUESTS = { attempts: 240, window: 60_000 }

/** Streams of messages and of events of one participant, of the board, and in all. */
const MAX_STREAMS = 4
const MAX_BOARDS = 50
const MAX_STREAMS_IN_ALL = 1_500

/** Milliseconds between two comments that keep a silent stream alive. */
const ALIVE = 15_000

/** The pages of the room for people. */
export interface RoomPages {
  board(): HttpResponse | Promise<HttpResponse>
  stage(): HttpResponse | Promise<HttpResponse>
  join(): HttpResponse | Promise<HttpResponse>
  /** Returns the data of the stream of the board. @param lanes the flows of a room with a lab */
  view(board: Board, lanes?: readonly Lane[]): ShownBoard
  /** Returns the report of a room as a file. */
  report(board: Board, format: ReportFormat): HttpResponse
}

export type ReportFormat = 'csv' | 'md'

/** The lab that a room has together. */
export interface RoomLab {
  readonly feed: LabFeed
  /** Returns what a participant needs to use the lab. */
  documentOf(who: string): LabDocument
}

interface RoomSiteOptions {
  readonly room: Room
  readonly pages: RoomPages
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** Resolves once what happened so far is kept. Answers to changes wait for it: a fact that was answered is not lost. */
  readonly kept: () => Promise<void>
  /** Left out: everybody uses a lab of their own. */
  readonly lab?: RoomLab
}

const notStored: HeaderList = [['cache-control', 'no-store']]
const nothing: HttpResponse = { status: 204, headers: notStored, body: new Uint8Array() }

const json = (status: number, body: object, headers: HeaderList = []): HttpResponse =>
  withNosniff(jsonResponse(status, body, [...notStored, ...headers]))

const unknownToken = (): HttpResponse =>
  json(401, { error: 'invalid_token' }, [['www-authenticate', 'Bearer error="invalid_token"']])

const tooMany = (seconds: number): HttpResponse =>
  json(429, { error: 'too_many_requests' }, [['retry-after', String(Math.max(1, seconds))]])

const tooLarge = (): HttpResponse => json(413, { error: 'too_large' })

/** The bearer token of a request (RFC 6750 §2.1); undefined without exactly one. */
function bearer(request: HttpRequest): string | undefined {
  const [value = '', ...more] = headerValues(request, 'authorization')
  return more.length === 0 ? /^Bearer +([\w.~+/=-]{1,200})$/i.exec(value)?.[1] : undefined
}

/** Reads a list of facts. @returns what is wrong with it: its first bad fact, from 0 */
function readFacts(
  body: Uint8Array,
): readonly NumberedFact[] | { readonly error: 'invalid_facts'; readonly fact?: number } {
  const value = parsedJson(text(body))
  const list = isJsonObject(value) ? value.facts : undefined
  if (!Array.isArray(list) || list.length > MAX_FACTS) return { error: 'invalid_facts' }
  const facts: NumberedFact[] = []
  for (const [at, each] of list.entries()) {
    const fact = readFact(each)
    if (fact === undefined) return { error: 'invalid_facts', fact: at }
    facts.push(fact)
  }
  return facts
}

const eventStream = (stream: AsyncIterable<Uint8Array>): HttpResponse => ({
  status: 200,
  headers: [['content-type', 'text/event-stream'], ...notStored, ['x-content-type-options', 'nosniff']],
  body: new Uint8Array(),
  stream,
})

/** The writing end of a stream of events. `id` is for `Last-Event-ID`. */
interface EventWriter {
  readonly write: (data: object, id?: number) => void
  readonly end: () => void
}

const isHead = ({ method }: HttpRequest) => method === 'HEAD'

/** Makes the site of a room: participants send facts and receive messages, the teacher sees the board and leads. */
export function roomSite({ room, pages, now, kept, lab }: RoomSiteOptions): Site {
  const { key } = room.state()
  const pageKey = createPageKey({
    key,
    parameter: 'key',
    cookieName: '__Host-workshop',
    purpose: 'board',
    path: '/board',
  })
  const wrong = createRateLimit(WRONG, { now })
  const wrongInAll = createRateLimit(WRONG_IN_ALL, { now })
  const factRequests = createRateLimit(FACT_REQUESTS, { now })
  const open = openStreams()
  const lanes = lab && createLanes()
  const boards = boardStream(
    () => pages.view(room.board(), lanes?.lanes()),
    changed => {
      room.subscribe(changed)
      lab?.feed.subscribe((event, who) => {
        if (lanes?.add(event, who)) changed()
      })
    },
    now,
  )

  /** The answer to somebody who guessed too often; undefined for others. */
  function limited(source: string): HttpResponse | undefined {
    const spent = [wrong.left(source), wrongInAll.left('all')].filter(({ attempts }) => attempts === 0)
    return spent.length === 0 ? undefined : tooMany(Math.max(...spent.map(each => each.resetSeconds)))
  }

  function countWrong(source: string): void {
    wrong.count(source)
    wrongInAll.count('all')
  }

  const join: RouteHandler = request => {
    if (request.body.length > MAX_SMALL_BODY) return tooLarge()
    const source = sourceOf(request.remoteAddress)
    const token = bearer(request)
    const isKnown = token !== undefined && room.owner(token) !== undefined
    const refused = isKnown ? undefined : limited(source)
    if (refused) return refused
    const value = parsedJson(text(request.body))
    if (!isJsonObject(value)) return json(400, { error: 'invalid_request' })
    const { secret, name } = value
    if (typeof secret !== 'string' || (name !== undefined && typeof name !== 'string')) {
      return json(400, { error: 'invalid_request' })
    }
    const answer = room.join({ secret, ...(name !== undefined && { name }), token, source })
    if (answer.kind === 'joined') return json(answer.isNew ? 201 : 200, answer.joined)
    if (answer.kind !== 'wrong_code') return json(409, { error: answer.kind })
    countWrong(source)
    return json(401, { error: 'wrong_code' })
  }

  /** Answers a participant alone. */
  const forParticipant =
    (answer: (who: string, request: HttpRequest) => HttpResponse): RouteHandler =>
    request => {
      const token = bearer(request)
      const who = token === undefined ? undefined : room.whoIs(token)
      return who === undefined ? unknownToken() : answer(who, request)
    }

  const facts = forParticipant((who, { body }) => {
    if (body.length > MAX_BODY) return tooLarge()
    const { attempts, resetSeconds } = factRequests.left(who)
    if (attempts === 0) return tooMany(resetSeconds)
    factRequests.count(who)
    const read = readFacts(body)
    return 'error' in read ? json(400, read) : json(200, { n: room.take(who, read) })
  })

  /**
   * Answers a participant with a stream of events, which resumes after `Last-Event-ID`.
   * @param kind counts on its own
   * @param begin returns what to do at the end
   */
  const streamed = (
    kind: 'messages' | 'lab',
    begin: (who: string, last: number | undefined, stream: EventWriter) => () => void,
  ): RouteHandler =>
    forParticipant((who, request) => {
      if (isHead(request)) return eventStream(lineStream(() => () => {}))
      const counted = `${kind} ${who}`
      if (open.of(counted) >= MAX_STREAMS || open.total() >= MAX_STREAMS_IN_ALL) return tooMany(ALIVE / 1000)
      const last = /^\d{1,15}$/.exec(header(request, 'last-event-id') ?? '')?.[0]
      return eventStream(
        lineStream(({ write, end }) => {
          const leave = open.enter(counted)
          // The reader sees at once that the stream is open.
          write(bytes(':\n\n'))
          const send = (data: object, id?: number) =>
            write(bytes(`${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`))
          const stop = begin(who, last === undefined ? undefined : Number(last), { write: send, end })
          const alive = setInterval(() => write(bytes(':\n\n')), ALIVE)
          return () => {
            clearInterval(alive)
            stop()
            leave()
          }
        }),
      )
    })

  const messages = streamed('messages', (who, last, stream) => room.listen(who, last, stream))

  const noLab = forParticipant(() => json(404, { error: 'no_lab' }))
  const labDocument = lab ? forParticipant(who => json(200, lab.documentOf(who))) : noLab

  const eventsOf = lab && ownEvents(lab.feed, now())
  const labEventStream = eventsOf
    ? streamed('lab', (who, last, { write, end }) => {
        const events = eventsOf(who)
        const send = ({ number, event }: NumberedEvent) => write(event, number)
        if (last !== undefined) events.after(last).forEach(send)
        const stop = events.subscribe(send)
        const stopRoom = room.subscribe(change => {
          if (change.kind === 'person' && change.did === 'left' && change.who === who) end()
        })
        return () => {
          stop()
          stopRoom()
        }
      })
    : noLab

  const leave = forParticipant(who => {
    room.leave(who)
    return nothing
  })

  const noKey = (): HttpResponse =>
    textResponse(
      401,
      'This page is for the teacher: open the address with the key that the teacher’s screen shows.\n',
      PRIVATE_PAGE,
    )

  const forTeacher =
    (answer: RouteHandler): RouteHandler =>
    (request, context, parameters) =>
      pageKey.isHolder(request) ? answer(request, context, parameters) : noKey()

  const board: RouteHandler = (request, context, parameters) => {
    const sent = pageKey.read(request)
    if (sent.kind === 'none') return forTeacher(() => pages.board())(request, context, parameters)
    const source = sourceOf(request.remoteAddress)
    const refused = limited(source)
    if (refused) return refused
    if (sent.kind === 'right') return sent.response
    countWrong(source)
    return noKey()
  }

  /** True for a request of a page of this very server: other origins cannot set Origin, and forms send no JSON. */
  const isOwn = (request: HttpRequest): boolean =>
    header(request, 'origin') === `https://${header(request, 'host')}` &&
    mediaType(request) === 'application/json'

  const lead = forTeacher(request => {
    if (!isOwn(request)) return json(403, { error: 'wrong_origin' })
    if (request.body.length > MAX_SMALL_BODY) return tooLarge()
    const action = readLead(parsedJson(text(request.body)))
    return action !== undefined && room.lead(action) ? nothing : json(400, { error: 'invalid_action' })
  })

  const report = (format: ReportFormat) => forTeacher(() => pages.report(room.board(), format))

  const events = forTeacher(request => {
    if (isHead(request)) return eventStream(lineStream(() => () => {}))
    return open.of('') >= MAX_BOARDS ? tooMany(ALIVE / 1000) : eventStream(boards(() => open.enter('')))
  })

  const afterKept =
    (handler: RouteHandler): RouteHandler =>
    async (request, context, parameters) => {
      const answer = await handler(request, context, parameters)
      await kept()
      return answer
    }

  return {
    name: 'room',
    handle: createRouter([
      { path: '/room/join', methods: { POST: afterKept(join) } },
      { path: '/room/facts', methods: { POST: afterKept(facts) } },
      { path: '/room/messages', methods: { GET: messages } },
      { path: '/room/lab', methods: { GET: labDocument } },
      { path: '/room/lab/events', methods: { GET: labEventStream } },
      { path: '/room/me', methods: { DELETE: afterKept(leave) } },
      { path: '/board', methods: { GET: board } },
      { path: '/board/events', methods: { GET: events } },
      { path: '/board/report.csv', methods: { GET: report('csv') } },
      { path: '/board/report.md', methods: { GET: report('md') } },
      { path: '/board/lead', methods: { POST: afterKept(lead) } },
      { path: '/stage', methods: { GET: forTeacher(() => pages.stage()) } },
      { path: '/join', methods: { GET: () => pages.join() } },
      { path: '/', methods: { GET: () => redirectResponse('/join') } },
    ]),
  }
}
