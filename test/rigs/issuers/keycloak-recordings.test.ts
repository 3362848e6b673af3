import { describe } from 'vitest'
import { describeAgainst } from '../../support/java-issuer.js'
import { chromiumNames, describeWith, firefoxNames, rigs } from '../../support/requires.js'
import { openChromiumDevTools } from '../explain/chromium-devtools.js'
import { openFirefox } from '../explain/firefox.js'
import { mistakesOfBrowsers, openidMistakes } from '../explain/mistakes.js'
import { describeRecordings } from '../explain/recordings.js'
import { keycloak } from '../explain/servers.js'

describeAgainst('keycloak', 'recordings of logins at Keycloak', () => {
  describeWith([rigs, chromiumNames.join('|'), firefoxNames.join('|'), 'certutil'], 'by DevTools', () => {
    describe('of Chromium', () => describeRecordings(openChromiumDevTools, keycloak, openidMistakes))
    describe('of Firefox', () => describeRecordings(openFirefox, keycloak, mistakesOfBrowsers))
  })
})
