import type { Send } from '../../../../../src/protocol/http/exchange.js'
import { bytes, type HeaderList, type HttpRequest, text } from '../../../../../src/protocol/http/message.js'
import { fromRest } from '../../../../../src/servers/cloudflare/client/events/event.js'
import { sendTo } from '../support.js'

/** An event with all ten fields. */
export const event = fromRest({
  ray_id: '96f61cf115d999f5',
  kind: 'firewall',
  source: 'rateLimit',
  action: 'drop',
  ip: '203.0.113.7',
  ip_class: 'badHost',
  country: 'VN',
  colo: 'SIN',
  host: 'login.example.com',
  uri: '/login?a=1&b=<2>',
  ua: 'Mozilla/5.0',
  occurred_at: '2026-06-15T11:59:20Z',
})

/** An answer of a chat service. */
export interface Answered {
  readonly status: number
  readonly body?: string
  readonly headers?: HeaderList
}

/** A chat service that gives these answers in turn, the last one for ever, and what was posted to it. */
export function chatService(...answers: readonly Answered[]): { send: Send; posted: HttpRequest[] } {
  const posted: HttpRequest[] = []
  return {
    posted,
    send: sendTo(async request => {
      const { status, body = 'ok', headers = [] } = answers[Math.min(posted.length, answers.length - 1)]!
      posted.push(request)
      return { status, headers, body: bytes(body) }
    }),
  }
}

/** The JSON that was posted. */
export const postOf = (request: HttpRequest) => JSON.parse(text(request.body))
