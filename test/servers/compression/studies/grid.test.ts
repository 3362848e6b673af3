import { expect, it } from 'vitest'
import { gridOf } from '../../../../src/servers/compression/studies/offers.js'
import { weighed } from './weighed.js'

it('gridOf sends every offer to every URL in turn, and names broken rules', async () => {
  const sent: string[] = []
  const targets = [
    { name: 'one', url: 'http://one/' },
    { name: 'two', url: 'http://two/' },
  ]
  const rows = await gridOf([null, 'gzip'], targets, async (url, offer) => {
    sent.push(`${offer} ${url}`)
    return url === 'http://two/' ? weighed({ contentEncoding: 'gzip', vary: 'Accept-Encoding' }) : weighed()
  })
  expect(sent).toEqual(['null http://one/', 'null http://two/', 'gzip http://one/', 'gzip http://two/'])
  const { bytes } = weighed()
  const raw = { target: 'one', status: 200, contentEncoding: null, vary: null, bytes }
  const coded = { target: 'two', status: 200, contentEncoding: 'gzip', vary: 'Accept-Encoding', bytes }
  expect(rows).toEqual([
    { offer: null, cells: [raw, { ...coded, broken: expect.stringContaining('gzip') }] },
    { offer: 'gzip', cells: [raw, coded] },
  ])
  expect(rows[1]?.cells[1]).not.toHaveProperty('broken')
})
