import { describe, expect, it } from 'vitest'
import { type SectorMember, sectorOf, sectorProblem } from '../../../src/protocol/oauth/client-metadata.js'

const pairwise = (more: Partial<SectorMember>): SectorMember => ({ subject_type: 'pairwise', ...more })

describe('the sector of a client', () => {
  it.each<[SectorMember, string]>([
    [pairwise({ redirect_uris: ['https://a.example:8443/cb', 'https://A.example/other'] }), 'a.example'],
    [pairwise({ redirect_uris: ['http://127.0.0.1/cb'] }), '127.0.0.1'],
    [
      pairwise({
        redirect_uris: ['https://b.example/cb'],
        sector_identifier_uri: 'https://a.example/list.json',
      }),
      'a.example',
    ],
  ])('of %j is %s', (client, sector) => {
    expect([sectorOf(client), sectorProblem(client)]).toEqual([sector, undefined])
  })

  it.each<[SectorMember, string, RegExp]>([
    [pairwise({}), 'subject_type', /needs the host of a redirect_uri/],
    [
      pairwise({ redirect_uris: ['https://a.example/cb', 'https://b.example/cb'] }),
      'subject_type',
      /2 hosts \(a\.example, b\.example\): name a sector_identifier_uri/,
    ],
    [pairwise({ redirect_uris: ['com.example.app:/cb'] }), 'subject_type', /with a host/],
    [pairwise({ sector_identifier_uri: 'http://a.example/x' }), 'sector_identifier_uri', /not https/],
    [pairwise({ sector_identifier_uri: 'a.example' }), 'sector_identifier_uri', /absolute/],
    [
      pairwise({ sector_identifier_uri: 'https://u@a.example/#f' }),
      'sector_identifier_uri',
      /user information/,
    ],
    [
      { sector_identifier_uri: 'https://a.example/x' },
      'sector_identifier_uri',
      /needs subject_type pairwise/,
    ],
  ])('of %j is refused', (client, member, problem) => {
    expect(sectorProblem(client)).toEqual({ member, problem: expect.stringMatching(problem) })
  })

  it.each<SectorMember>([
    {},
    { subject_type: 'public', redirect_uris: ['https://a.example/', 'https://b.example/'] },
  ])('is not needed by %j', client => expect(sectorProblem(client)).toBeUndefined())
})
