import { describe } from 'vitest'
import { chromiumNames, describeWith, rigs } from '../../support/requires.js'
import { openChromiumDevTools } from './chromium-devtools.js'
import { oauthMistakes, openidMistakes } from './mistakes.js'
import { describeRecordings } from './recordings.js'
import { oauth2Server, oidcProvider } from './servers.js'

describeWith([rigs, chromiumNames.join('|'), 'certutil'], 'recordings of the DevTools of Chromium', () => {
  describe('at oidc-provider', () => describeRecordings(openChromiumDevTools, oidcProvider, openidMistakes))
  describe('at oauth2-server', () => describeRecordings(openChromiumDevTools, oauth2Server, oauthMistakes))
})
