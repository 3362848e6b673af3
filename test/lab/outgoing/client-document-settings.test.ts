import { describe, expect, it } from 'vitest'
import { labConfigFrom } from '../../../src/lab/lab-file/config.js'
import { allowedClientHosts, fetchesClientDocuments, joinedIds } from '../../../src/lab/sites/sites.js'

const load = (file: object) => labConfigFrom(file, 'the test')

describe('client_id_documents', () => {
  it.each<[string, object, string | undefined, boolean, readonly string[]]>([
    ['on this computer', {}, undefined, true, ['localhost']],
    ['on loopback', {}, '127.0.0.1', true, ['localhost']],
    ['beyond it', {}, '0.0.0.0', false, []],
    ['off', { client_id_documents: 'off' }, undefined, false, ['localhost']],
    ['without members beyond it', { client_id_documents: {} }, 'lab.example', true, []],
    [
      'with hosts',
      { client_id_documents: { allow: ['client.internal', '::1'] } },
      'lab.example',
      true,
      ['client.internal', '::1'],
    ],
    ['with no host', { client_id_documents: { allow: [] } }, undefined, true, []],
    ['at a stage without metadata', { stage: 'key-pair' }, undefined, false, ['localhost']],
    ['under the profile reference', { profile: 'reference' }, undefined, false, ['localhost']],
  ])('%s', async (_name, file, host, isOn, hosts) => {
    const config = await load(file)
    expect(fetchesClientDocuments(config, host)).toBe(isOn)
    expect(allowedClientHosts(config, host)).toEqual(hosts)
  })

  it.each([
    { client_id_documents: 'on' },
    { client_id_documents: { allow: 'localhost' } },
    { client_id_documents: { allow: ['https://client.internal'] } },
    { client_id_documents: { allow: ['client.internal:8443'] } },
    { client_id_documents: { allow: ['Client.internal'] } },
    { client_id_documents: { hosts: [] } },
  ])('is not %j', file => expect(load(file)).rejects.toMatchObject({ kind: 'usage' }))
})

it('joined ids are the same list until one of the lists is another one', () => {
  let one: readonly string[] = ['a']
  const two: readonly string[] = ['b']
  const ids = joinedIds(
    () => one,
    () => two,
  )
  const first = ids()
  expect(first).toEqual(['a', 'b'])
  expect(ids()).toBe(first)
  one = ['a', 'c']
  expect(ids()).toEqual(['a', 'c', 'b'])
})
