import { describe, expect, it } from 'vitest'
import { askedSentence } from '../../../../src/servers/authorization-server/pages/asked-access.js'

const descriptions = {
  scopes: {
    openid: 'Know who you are',
    'records:read': 'Read your records.',
    photos: 'your photos',
    calendars: 'Access to calendars',
    view: 'View of bills',
    german: 'Ihre Fotos',
    use: 'Access your files',
    bare: '',
    html: 'Print <b>',
  },
  detailTypes: { payment: { description: 'Start a payment' }, plain: {} },
}
const client = { client_id: 'printer', client_name: 'Photo <Printer>' }
const NAME = '<strong>Photo &lt;Printer&gt;</strong>'

describe('the sentence of the access that a client asks for', () => {
  it.each<[readonly string[], object, boolean, string]>([
    [['records:read', 'openid'], {}, false, 'wants to read your records and know who you are.'],
    [['openid', 'photos'], {}, false, 'wants to know who you are, and asks for more:'],
    [['photos', 'calendars', 'view', 'german'], {}, false, 'asks for:'],
    [['calendars'], {}, true, 'now also asks for:'],
    [['use'], {}, false, 'wants to access your files.'],
    [
      ['openid', 'bare', 'other'],
      {},
      false,
      'wants to know who you are, use <code>bare</code> and use <code>other</code>.',
    ],
    [['html'], {}, true, 'now also wants to print &lt;b&gt;.'],
    [[], { claimNames: ['birthdate'] }, false, 'wants to see your <code>birthdate</code>.'],
    [
      ['openid'],
      { claimNames: ['a', 'b'] },
      false,
      'wants to know who you are and see your <code>a</code> and <code>b</code>.',
    ],
    [
      [],
      { details: [{ type: 'payment' }, { type: 'plain' }, { type: 'payment' }] },
      false,
      'wants to start a payment and use <code>plain</code>.',
    ],
    [[], {}, false, 'wants you to log in.'],
    [[], {}, true, 'wants to use what you allowed before.'],
  ])('for %j with %j (again: %s) is: %s', (scope, more, again, expected) => {
    expect(askedSentence({ client, scope, ...more }, descriptions, again).markup).toBe(`${NAME} ${expected}`)
  })

  it('names a client without a name by its id', () => {
    expect(askedSentence({ client: { client_id: 'p' }, scope: ['openid'] }, descriptions).markup).toBe(
      '<strong>p</strong> wants to know who you are.',
    )
  })
})
