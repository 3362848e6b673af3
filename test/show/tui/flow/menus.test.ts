import { describe, expect, it } from 'vitest'
import { signsFor } from '../../../../src/show/render/text/signs.js'
import { plainText } from '../../../../src/show/render/text/spans.js'
import { firstMove, menuOf } from '../../../../src/show/tui/flow/menus.js'
import { type FlowOffers, NO_OFFERS, type WrongMove } from '../../../../src/show/tui/flow/offers.js'
import { menuBox } from '../../../../src/show/tui/screen/menu.js'
import { stateAfter } from './draw.js'

const move = (name: string, at: WrongMove['at'], off?: string): WrongMove => {
  const shared = {
    does: `does ${name}`,
    risk: 'somebody gets in',
    rule: 'RFC 6749 §1',
    expects: 'invalid_grant',
  }
  return { name, at, ...shared, ...(off !== undefined && { off }) }
}

function offering(...moves: WrongMove[]): FlowOffers {
  const begin = () => {
    throw new Error('no run in this test')
  }
  return { ...NO_OFFERS, tamper: { offer: { moves, begin } } }
}

describe('the tamper menu', () => {
  const offers = offering(
    move('no-state', 'authorization_request', 'no state here'),
    move('reuse-code', 'token_request'),
    move('two-states', 'authorization_request'),
  )
  const items = (steps: number) => menuOf('tamper', stateAfter(steps), offers, 0).items

  it('groups moves by the message they change, each with its idea', () => {
    const moves = items(0).filter(({ heading }) => heading?.startsWith('In the '))
    expect(moves.map(({ heading, text }) => [heading, text])).toEqual([
      ['In the authorization request', 'does no-state'],
      ['In the authorization request', 'does two-states'],
      ['In the token request', 'does reuse-code'],
    ])
    expect(moves[2]?.about).toBe(
      '--tamper reuse-code: expect invalid_grant. Else somebody gets in. RFC 6749 §1',
    )
  })

  it('has the moves that can still happen in this run first', () => {
    expect(items(3).find(({ heading }) => heading?.startsWith('In the '))?.text).toBe('does reuse-code')
  })

  it('opens on the first move that can be made, or on the first item', () => {
    expect(items(0)[firstMove(stateAfter(0), offers)]?.text).toBe('does two-states')
    expect(firstMove(stateAfter(0), NO_OFFERS)).toBe(0)
  })

  it('draws a heading above its group, also where few rows are left', () => {
    const menu = menuOf('tamper', stateAfter(0), offers, 0)
    const at = menu.items.findIndex(({ text }) => text === 'does reuse-code')
    const rows = (count: number) =>
      menuBox(menu, { at }, { columns: 80, rows: count }, signsFor({ ascii: false })).map(plainText)
    for (const drawn of [rows(22), rows(11)]) {
      const row = drawn.findIndex(each => each.includes('► '))
      expect(drawn[row]).toContain('does reuse-code')
      expect(drawn[row - 1]).toContain('In the token request')
    }
  })
})
