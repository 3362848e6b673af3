import { expect, it } from 'vitest'
import { askAsPrograms, GATEWAY, PROGRAMS } from '../../../../src/servers/compression/studies/offers.js'
import { weighed } from './weighed.js'

it('askAsPrograms sends the offer of each program, the gateway first', async () => {
  const offers: (string | null)[] = []
  const answers = await askAsPrograms('http://one/', async (url, { offer }) => {
    expect(url).toBe('http://one/')
    offers.push(offer)
    return weighed({ status: 200 + offers.length, contentEncoding: offer, vary: 'Origin' })
  })
  expect(offers).toEqual([GATEWAY, ...PROGRAMS].map(({ offer }) => offer))
  expect(answers.url).toBe('http://one/')
  expect(answers.gateway).toEqual({
    ...GATEWAY,
    status: 201,
    contentEncoding: GATEWAY.offer,
    vary: 'Origin',
    bytes: weighed().bytes,
    wireBytes: 100,
    totalBytes: 177,
  })
  expect(answers.others.map(({ name, status }) => [name, status])).toEqual(
    PROGRAMS.map(({ name }, index) => [name, 202 + index]),
  )
})
