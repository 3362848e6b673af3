import { lines } from './lines.js'
import type { Recipe } from './recipe.js'

/** MSAL for Node.js: a public client that logs a person in with their browser. */
export const msal: Recipe = {
  name: 'msal',
  aliases: ['msal-node', '@azure/msal-node'],
  title: 'MSAL for Node.js: a program that logs a person in',
  checked: { version: '@azure/msal-node 7.2.3', by: 'test' },
  needs: ['Node.js 20'],
  secret: false,
  labFile: {
    application_type: 'native',
    redirect_uris: ['http://localhost'],
    grant_types: ['authorization_code', 'refresh_token'],
  },
  lines: ({ issuer, ca, clientId, word }) => [
    { kind: 'install', lines: ['npm install @azure/msal-node@7.2.3'] },
    {
      kind: 'file',
      file: 'login.mjs',
      lines: lines`
        import { ProtocolMode, PublicClientApplication } from '@azure/msal-node'

        const authority = ${JSON.stringify(issuer)}
        const app = new PublicClientApplication({
          auth: {
            clientId: ${JSON.stringify(clientId)},
            authority,
            // A server that is not Microsoft's has to be named.
            knownAuthorities: [new URL(authority).host],
          },
          system: { protocolMode: ProtocolMode.OIDC },
        })
        const { idTokenClaims } = await app.acquireTokenInteractive({
          scopes: ['openid', 'profile', 'email'],
          openBrowser: async url => console.log('Open ' + url),
        })
        console.log('Logged in as ' + idTokenClaims.sub)
      `,
    },
    { kind: 'run', lines: [`export NODE_EXTRA_CA_CERTS=${word(ca)}`, 'node login.mjs'] },
  ],
  notes: ['For MSAL in Python see   oauth-lab connect msal-python'],
}
