import { describe } from 'vitest'
import { describeWith, firefoxNames, rigs } from '../../support/requires.js'
import { openFirefox } from './firefox.js'
import { oauthMistakes, openidMistakes } from './mistakes.js'
import { describeRecordings } from './recordings.js'
import { oauth2Server, oidcProvider } from './servers.js'

describeWith([rigs, firefoxNames.join('|'), 'certutil'], 'recordings of the DevTools of Firefox', () => {
  describe('at oidc-provider', () => describeRecordings(openFirefox, oidcProvider, openidMistakes))
  describe('at oauth2-server', () => describeRecordings(openFirefox, oauth2Server, oauthMistakes))
})
