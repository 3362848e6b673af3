import { describe, expect, it } from 'vitest'
import { expectError, json } from '../support.js'
import { registrationLab, WEB } from './support.js'

const SECTOR = 'https://sector.example/redirects.json'
const pairwise = { ...WEB, subject_type: 'pairwise', sector_identifier_uri: SECTOR }

function labWith(document: () => string) {
  const asked: string[] = []
  const fetchDocument = async (url: string) => {
    asked.push(url)
    return { body: document(), contentType: 'application/json' }
  }
  return { ...registrationLab({}, {}, { fetchDocument }), asked }
}

describe('a sector_identifier_uri', () => {
  it('is fetched, and lists every address of the client', async () => {
    const { registered, asked } = labWith(() => JSON.stringify(WEB.redirect_uris))
    expect(await registered(pairwise)).toMatchObject({ sector_identifier_uri: SECTOR })
    expect(asked).toEqual([SECTOR])
  })

  it.each([
    ['lacks an address', () => '["https://other.example/cb"]'],
    ['is no list', () => '{"redirect_uris":["https://client.example/cb"]}'],
    ['is HTML', () => '<html>'],
    [
      'cannot be fetched',
      () => {
        throw new Error('10.0.0.1 is an address of a private network')
      },
    ],
  ])('refuses a client whose document %s', async (_, document) => {
    const { register, events } = labWith(document)
    const response = await register(pairwise)
    expectError(response, 400, 'invalid_client_metadata')
    expect(json(response).error_description).toMatch(/^sector_identifier_uri: /)
    expect(events.at(-1)).toMatchObject({ rule: 'OpenID Connect Registration §5' })
  })

  it('is checked again at an update', async () => {
    const { registered, manage } = labWith(() => JSON.stringify(WEB.redirect_uris))
    const client = await registered(pairwise)
    const more = [...(WEB.redirect_uris as string[]), 'https://client.example/other']
    const response = await manage(client, 'PUT', {
      ...pairwise,
      client_id: client.client_id,
      redirect_uris: more,
    })
    expectError(response, 400, 'invalid_client_metadata')
    expect(json(await manage(client, 'GET'))).toEqual(client)
  })
})
