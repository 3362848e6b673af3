import { expect, it } from 'vitest'
import { keysPage } from '../../src/tui/keys-page.js'

it('docs/keys.md is what the key tables say; `npm run docs` writes it anew', async () => {
  await expect(keysPage()).toMatchFileSnapshot('../../docs/keys.md')
})
