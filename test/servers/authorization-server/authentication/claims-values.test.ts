import { describe, expect, it } from 'vitest'
import { landed } from '../support.js'
import { strongLab } from './strong-lab.js'

const claims = (id_token: object) => JSON.stringify({ id_token })

describe('claims with values (OpenID Connect Core §5.5.1)', () => {
  it('an essential claim that the user does not have is no error', async () => {
    const made = strongLab()
    const asked = {
      claims: claims({
        phone_number: { essential: true },
        email: { essential: true, value: 'x@example.com' },
      }),
    }
    const { id } = await made.tokensOf(await made.person.login(made.request(asked)))
    expect(id).not.toHaveProperty('email')
    expect(id).toMatchObject({ sub: 'alice' })
  })

  it('auth_time and acr can be asked for', async () => {
    const made = strongLab()
    const asked = { claims: claims({ auth_time: { essential: true }, acr: null }) }
    const { id } = await made.tokensOf(await made.person.login(made.request(asked)))
    expect(id).toMatchObject({ auth_time: expect.any(Number), acr: expect.any(String) })
  })

  it('another sub than the logged-in one is login_required', async () => {
    const made = strongLab()
    const asked = { claims: claims({ sub: { value: 'bob' } }) }
    expect(landed(await made.person.login(made.request(asked))).error).toBe('login_required')
  })
})

describe('wishes about pages', () => {
  it('are tolerated, with values of any kind', async () => {
    const made = strongLab()
    const asked = {
      ui_locales: 'xx-unknown de',
      claims_locales: 'fr',
      display: 'hologram',
      login_hint: 'alice',
    }
    expect(landed(await made.person.login(made.request(asked)))).toHaveProperty('code')
  })
})
