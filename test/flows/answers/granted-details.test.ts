import { describe, expect, it } from 'vitest'
import { detailsCheck } from '../../../src/flows/steps/token-step.js'
import type { AuthorizationDetails } from '../../../src/protocol/oauth/authorization-details.js'

const accounts = { type: 'account_information', actions: ['list_accounts', 'read_balances'] }
const payment = { type: 'payment_initiation', creditorName: 'Merchant A' }

describe('the check of granted authorization details (RFC 9396 §7)', () => {
  it.each<[string, AuthorizationDetails | undefined, AuthorizationDetails | undefined, boolean, string]>([
    [
      'the same',
      [accounts, payment],
      [accounts, payment],
      true,
      'as asked: account_information, payment_initiation',
    ],
    ['fewer objects', [accounts, payment], [payment], true, 'not more than asked: payment_initiation'],
    ['fewer actions', [accounts], [{ ...accounts, actions: ['list_accounts'] }], true, 'not more than asked'],
    [
      'members that the server added (§7.1)',
      [payment],
      [{ ...payment, id: '7' }],
      true,
      'not more than asked',
    ],
    ['none', [payment], [], true, 'not more than asked: none'],
    ['no member of the answer', [payment], undefined, false, 'missing'],
    ['more actions', [accounts], [{ ...accounts, actions: [...accounts.actions, 'x'] }], false, 'beyond'],
    ['another value', [payment], [{ ...payment, creditorName: 'Mallory' }], false, '"Mallory"'],
    ['a missing limit', [payment], [{ type: payment.type }], false, 'beyond'],
    ['the same members of another type', [{ type: 'a' }], [{ type: 'b' }], false, 'beyond'],
    ['another type', [payment], [payment, accounts], false, 'account_information'],
    ['details that nobody asked for', undefined, [payment], false, 'beyond'],
  ])('names %s', (_name, asked, answered, ok, detail) => {
    const [found] = detailsCheck(asked, answered)
    expect(found).toMatchObject({ name: 'authorization_details', ok, rule: 'RFC 9396 §7' })
    expect(found?.detail).toContain(detail)
  })

  it.each([
    [120, '"}'],
    [121, '…'],
  ])('shows at most 120 characters of a detail: %i', (length, end) => {
    const detail = { type: 'x'.repeat(length - JSON.stringify({ type: '' }).length) }
    const [found] = detailsCheck(undefined, [detail])
    const shown = found?.detail?.replace('beyond what was asked for: ', '') ?? ''
    expect([shown.length, shown.endsWith(end)]).toEqual([120, true])
  })

  it('is absent where neither side has any', () => expect(detailsCheck(undefined, undefined)).toEqual([]))
})
