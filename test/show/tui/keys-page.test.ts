import { expect, it } from 'vitest'
import { keysPage } from '../../docs/keys-page.js'

it('docs/reference/keys.md is generated from the key tables; `npm run docs` writes it', async () => {
  await expect(keysPage()).toMatchFileSnapshot('../../../docs/reference/keys.md')
})
