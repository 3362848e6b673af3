import { authjs } from './authjs.js'
import { authlib } from './authlib.js'
import { curl } from './curl.js'
import { dex } from './dex.js'
import { googleAuth } from './google-auth.js'
import { grafana } from './grafana.js'
import { keycloak } from './keycloak.js'
import { kubelogin } from './kubelogin.js'
import { mcpInspector } from './mcp-inspector.js'
import { modAuthOpenidc } from './mod-auth-openidc.js'
import { msal } from './msal.js'
import { msalPython } from './msal-python.js'
import { oauth2Proxy } from './oauth2-proxy.js'
import { oauth2c } from './oauth2c.js'
import { openidClient } from './openid-client.js'
import { passport } from './passport.js'
import { bruno, postman } from './postman.js'
import type { Recipe } from './recipe.js'
import { requestsOauthlib } from './requests-oauthlib.js'
import { springBoot } from './spring-boot.js'
import { step } from './step.js'

const commandLines = [curl, oauth2c, step, kubelogin, mcpInspector, postman, bruno]
const libraries = [
  ...[openidClient, passport, authjs, msal],
  ...[authlib, requestsOauthlib, googleAuth, msalPython, springBoot],
]
const servers = [oauth2Proxy, modAuthOpenidc, grafana, dex, keycloak]

/** Every recipe, in the order of `connect list`. */
export const recipes: readonly Recipe[] = [...commandLines, ...libraries, ...servers]

/** Letters and digits of a name, so that `Auth.js` and `auth-js` are one. */
const bare = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '')

/** The recipe of a program, by its name or another name that people type; undefined for an unknown one. */
export function findRecipe(name: string): Recipe | undefined {
  const wanted = bare(name)
  return recipes.find(each => [each.name, ...(each.aliases ?? [])].some(known => bare(known) === wanted))
}
