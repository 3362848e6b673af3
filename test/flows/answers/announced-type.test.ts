import { describe, expect, it } from 'vitest'
import { announcedType } from '../../../src/flows/answers/announced-type.js'

const issuer = 'https://id.test'

describe('announcedType', () => {
  it.each([
    [undefined, 'token', 'token'],
    [['code', 'token id_token'], 'id_token token', 'token id_token'],
  ])('of a server that announces %j, for %s: %s', (announced, asked, type) => {
    const metadata = { issuer, ...(announced && { response_types_supported: announced }) }
    expect(announcedType(metadata, asked)).toBe(type)
  })

  it.each([
    [['code', 'token'], 'id_token token', /and not id_token token; leave openid out of --scope/],
    [['code', 'id_token token'], 'token', /and not token; name --scope openid/],
    [['code'], 'token', /and not token; flow code is the better choice$/],
  ])('of a server that announces %j and not %s names the next move', (announced, asked, description) => {
    expect(() => announcedType({ issuer, response_types_supported: announced }, asked)).toThrow(
      expect.objectContaining({
        code: 'unsupported_response_type',
        description: expect.stringMatching(description),
      }),
    )
  })
})
