import { describe, expect, it } from 'vitest'
import { builtInClient, labConfigFrom } from '../../../src/lab/lab-file/config.js'
import { newSeat, roomLabFile, type Seat, seatLabFile, seatsIn } from '../../../src/lab/lab-file/seats.js'

let next = 0
const random = (length: number) => new Uint8Array(length).fill(++next)
const [teacher, ann, ben] = ['teacher', 'k7-01', 'k7-02'].map(name => newSeat(name, random)) as [
  Seat,
  Seat,
  Seat,
]
const model = await builtInClient('demo')

describe('the lab file of a room', () => {
  it('gives each seat a client, a user, a namespace and two tokens, with secrets of 192 bits that all differ', () => {
    const secrets = [teacher, ann, ben].flatMap(({ name: _, ...rest }) => Object.values(rest))
    expect(new Set(secrets).size).toBe(12)
    for (const each of secrets) expect(each).toHaveLength(32)
    const file = roomLabFile(teacher, [ann, ben], model)
    expect(file.clients?.map(each => each.client_id)).toEqual(['demo', 'k7-01-app', 'k7-02-app'])
    expect(file.clients?.[1]).toEqual({
      ...model,
      client_id: 'k7-01-app',
      client_name: 'Application of k7-01',
      client_secret: ann.clientSecret,
    })
    expect(file.users?.map(({ username, password }) => [username, password])).toEqual([
      ['teacher', teacher.password],
      ['k7-01', ann.password],
      ['k7-02', ben.password],
    ])
    expect(file.cluster?.namespaces?.['k7-02']).toMatchObject({ admins: ['k7-02'] })
    expect(file.cluster?.tokens?.map(({ username, groups }) => [username, groups])).toEqual([
      ['teacher', ['system:masters']],
      ['k7-01', ['oauth-lab:reviewers']],
      ['k7-02', ['oauth-lab:reviewers']],
    ])
    expect(file.dns?.tokens).toEqual([
      { name: 'k7-01', token: ann.dnsToken },
      { name: 'k7-02', token: ben.dnsToken },
    ])
  })

  it('leaves no account whose secret everybody knows, and lets nobody register or log in without a password', async () => {
    const config = await labConfigFrom(roomLabFile(teacher, [ann], model), 'test')
    const text = JSON.stringify(config.effective)
    for (const known of [
      'demo-secret-',
      'wonderland',
      'lab-admin-token',
      'lab-limited-token',
      'labtoken',
      '1ab0c0ffee',
    ])
      expect(text).not.toContain(known)
    expect(config).toMatchObject({
      accountChooser: 'off',
      registration: { mode: 'off' },
      clientIdDocuments: 'off',
      weak: [],
    })
  })

  it('is read back as the same seats', () => {
    expect([...seatsIn(roomLabFile(teacher, [ann, ben], model)).values()]).toEqual([ann, ben])
    expect(seatsIn({}).size).toBe(0)
  })

  it('is for a participant the own seat alone', async () => {
    const config = await labConfigFrom(seatLabFile(ann, model), 'test')
    expect(config.clients.map(each => each.client_id)).toEqual(['k7-01-app'])
    expect(config.users.map(each => each.username)).toEqual(['k7-01'])
    expect(config.cluster.tokens.map(each => each.username)).toEqual(['k7-01'])
    expect(JSON.stringify(config.effective)).not.toContain(ben.password)
  })
})
