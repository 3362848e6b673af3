import type { Line } from '../../render/text/spans.js'
import { foreign, lineWidth, span, spread } from '../../render/text/spans.js'
import { cutMiddle } from '../../render/text/text.js'
import { essential } from '../screen/essential.js'
import type { Size } from '../screen/size.js'
import { arrangementOf } from '../screen/size.js'
import type { DrawContext } from './context.js'
import type { DashboardState } from './state.js'
import { countText } from './words.js'

/** The source of the dashboard's events. */
export interface Feed {
  /** As it is typed: `serve`, `play run.jsonl`. */
  readonly command: string
  /** True when more is to come; a recorded file has ended. */
  readonly live: boolean
  /** Number of lines that were not events, in a sentence; absent when all were. */
  readonly broken?: string
}

/** The first line: what is watched, where it is, how long it has been up. */
export function header(state: DashboardState, size: Size, feed: Feed, { now, signs }: DrawContext): Line {
  const { facts, startedAt, lastAt } = state.view
  const at = (site: string) => facts.urls.find(([name]) => name === site)?.[1]
  const where = at('authorization') ?? facts.urls[0]?.[1]
  const wide = arrangementOf(size) === 'wide'
  const small = arrangementOf(size) === 'small'
  const http = /:(\d+)$/.exec(at('http') ?? '')?.[1]
  const unusual = [facts.stage, facts.profile].filter(
    each => each !== undefined && each !== 'published-keys' && each !== 'standard',
  )
  const left: Line = [
    span(small ? ' ' : ' oauth-lab  ', 'dim'),
    span(foreign(cutMiddle(feed.command, 30, signs.ellipsis), signs), 'title'),
    span(where === undefined ? '' : `${small ? '  ' : '   '}${foreign(where, signs)}`, 'dim'),
    span(unusual.length > 0 && !small ? `   ${foreign(unusual.join(', '), signs)}` : '', 'look'),
    span(wide && http !== undefined ? `   http :${http} ${signs.to} https` : '', 'dim'),
    span(
      wide && facts.compression !== undefined ? `   compression ${facts.compression ? 'on' : 'off'}` : '',
      'dim',
    ),
  ]
  const broken = feed.broken === undefined ? [] : [span(`${signs.look} ${feed.broken}  `, 'look')]
  const until = feed.live ? now : (lastAt ?? now)
  const up =
    startedAt === undefined ? 'waiting' : `${feed.live ? 'up' : 'recorded'} ${countText(until - startedAt)}`
  const right = [...broken, span(`${up} `)]
  return spread(essential(left, size.columns - lineWidth(right) - 1), right, size.columns, signs)
}
