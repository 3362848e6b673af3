import { expect, it } from 'vitest'
import { demoWeb } from '../../../src/lab/sites/demo-web.js'
import { client, countedRandom } from '../../servers/authorization-server/support.js'

it('registers the demo client once for each address of its listener', () => {
  let at: string | undefined
  const { client: register } = demoWeb({ random: countedRandom(), url: () => at, weak: [] })
  for (const listed of [client('demo-web'), undefined]) {
    at = undefined
    expect(register(listed)).toBe(listed)
    for (at of ['https://localhost:8448', 'https://localhost:9448']) {
      expect(register(listed)?.redirect_uris).toContain(`${at}/callback`)
      expect(register(listed)).toBe(register(listed))
    }
  }
})
