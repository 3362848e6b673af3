import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fromRest } from '../../../../../src/servers/cloudflare/client/events/event.js'
import { attachmentOf, chatText, postsOf } from '../../../../../src/servers/cloudflare/client/webhook/post.js'
import { EVENT_ACTIONS, EVENT_FIELDS } from '../../../../../src/servers/cloudflare/shapes.js'
import { hostileText } from '../../../../show/render/hostile.js'
import { forAll } from '../../../../support/for-all.js'
import { pastEvents } from '../../support.js'
import { event } from './support.js'

describe('an attachment', () => {
  it('has a field for each of the ten, in their order, long ones over the whole width', () => {
    expect(attachmentOf(event)).toEqual({
      color: 'danger',
      fallback: 'drop rateLimit from 203.0.113.7 (VN) login.example.com/login?a=1&amp;b=&lt;2&gt;',
      fields: [
        { title: 'kind', value: 'firewall', short: true },
        { title: 'source', value: 'rateLimit', short: true },
        { title: 'action', value: 'drop', short: true },
        { title: 'ip', value: '203.0.113.7', short: true },
        { title: 'ip_class', value: 'badHost', short: true },
        { title: 'country', value: 'VN', short: true },
        { title: 'colo', value: 'SIN', short: true },
        { title: 'host', value: 'login.example.com', short: false },
        { title: 'uri', value: '/login?a=1&amp;b=&lt;2&gt;', short: false },
        { title: 'ua', value: 'Mozilla/5.0', short: false },
      ],
    })
  })

  it.each(EVENT_ACTIONS)('%s has its colour', action => {
    const good = action === 'simulate' || action === 'log'
    expect(attachmentOf({ ...event, action }).color).toBe(good ? 'good' : 'danger')
  })

  it('leaves out empty fields, for every event of the fixture', () => {
    for (const past of pastEvents) {
      const listed = fromRest({ ...past, kind: 'firewall' })
      const titles = attachmentOf(listed).fields.map(({ title }) => title)
      expect(titles).toEqual(EVENT_FIELDS.filter(field => listed[field] !== ''))
    }
    expect(attachmentOf(fromRest({})).fields).toEqual([])
  })
})

describe('posts', () => {
  const events = Array.from({ length: 45 }, (_, i) => ({ ...event, ip: `192.0.2.${i}` }))

  it('hold at most a batch each, in order, every event once', () => {
    const posts = postsOf(events, { channel: '#edge', username: 'lab', icon_url: 'https://a.example/i' }, 20)
    expect(posts.map(post => post.attachments.length)).toEqual([20, 20, 5])
    expect(Object.keys(posts[0]!)).toEqual(['channel', 'username', 'icon_url', 'attachments'])
    const ips = posts.flatMap(post => post.attachments.map(({ fields }) => fields[3]?.value))
    expect(ips).toEqual(events.map(({ ip }) => ip))
  })

  it('hold only the members that were asked for', () => {
    expect(Object.keys(postsOf(events, {}, 100)[0]!)).toEqual(['attachments'])
    expect(postsOf([], {}, 20)).toEqual([])
  })
})

describe('text in a chat', () => {
  it.each([
    [
      '<!channel> & <https://evil.example|click>',
      '&lt;!channel&gt; &amp; &lt;https://evil.example|click&gt;',
    ],
    ['&lt;', '&amp;lt;'],
    ['a\r\nb\u202ec\u0000', 'a\ufffd\ufffdb\ufffdc\ufffd'],
    ['@channel and /@here', '@\u200bchannel and /@\u200bhere'],
    ['bot (+bot@example.com) a @ b', 'bot (+bot@example.com) a @ b'],
    [`${'x'.repeat(1001)}`, `${'x'.repeat(999)}…`],
    [`${'x'.repeat(1000)}`, `${'x'.repeat(1000)}`],
  ])('%j', (text, shown) => expect(chatText(text)).toBe(shown))

  it('notifies nobody, links nowhere, and keeps its meaning', async () => {
    const pieces = fc.array(
      fc.oneof(hostileText, fc.constantFrom('<!here>', '<@U1>', '@all', '@', 'a@b', '&amp;', '<', '>')),
      { maxLength: 8 },
    )
    await forAll(pieces, all => {
      const text = all.join('')
      const shown = chatText(text)
      expect(shown).not.toMatch(/[<>]|&(?!(amp|lt|gt);)/)
      expect(shown).not.toMatch(/(^|[^\p{L}\p{N}_.+-])@[\p{L}\p{N}_]/u)
      expect(shown).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/u)
      const names: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>' }
      const read = shown.replaceAll('\u200b', '').replace(/&(amp|lt|gt);/g, entity => names[entity]!)
      const meant = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, '\ufffd')
      if (meant.length <= 1000) expect(read).toBe(meant)
    })
  })
})
