import { describe } from 'vitest'
import { describeWith, firefoxNames, rigs } from '../../support/requires.js'
import { openFirefox } from './firefox.js'
import { mistakesOfBrowsers } from './mistakes.js'
import { describeRecordings } from './recordings.js'
import { oauth2Server, oidcProvider } from './servers.js'

// The other mistakes read the same in every browser: chromium.test.ts makes them.
describeWith([rigs, firefoxNames.join('|'), 'certutil'], 'recordings of the DevTools of Firefox', () => {
  describe('at oidc-provider', () => describeRecordings(openFirefox, oidcProvider, mistakesOfBrowsers))
  describe('at oauth2-server', () => describeRecordings(openFirefox, oauth2Server, mistakesOfBrowsers))
})
