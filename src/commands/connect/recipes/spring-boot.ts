import { lines } from './lines.js'
import type { Recipe } from './recipe.js'

/** Spring Boot with Spring Security: a registration and a provider, and a truststore with the CA. */
export const springBoot: Recipe = {
  name: 'spring-boot',
  aliases: ['spring', 'spring-security'],
  title: 'Spring Boot: a login by Spring Security',
  checked: { version: 'Spring Boot 4.0.7', by: 'test' },
  needs: ['a JDK', 'app.jar with spring-boot-starter-security-oauth2-client'],
  secret: true,
  labFile: {
    redirect_uris: ['http://localhost:8080/login/oauth2/code/oauth-lab'],
    post_logout_redirect_uris: ['http://localhost:8080'],
    grant_types: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_method: 'client_secret_basic',
  },
  lines: ({ issuer, ca, clientId, secretCommand, word }) => [
    {
      kind: 'file',
      file: 'application.yaml',
      lines: lines`
        spring:
          security:
            oauth2:
              client:
                registration:
                  oauth-lab:
                    client-id: ${JSON.stringify(clientId)}
                    client-secret: \${OAUTH_LAB_CLIENT_SECRET}
                    client-authentication-method: client_secret_basic
                    authorization-grant-type: authorization_code
                    redirect-uri: "{baseUrl}/login/oauth2/code/{registrationId}"
                    scope: [openid, profile, email]
                provider:
                  oauth-lab:
                    issuer-uri: ${JSON.stringify(issuer)}
                    user-name-attribute: sub
      `,
    },
    {
      kind: 'run',
      lines: lines`
        rm -f lab-truststore.p12
        keytool -importcert -noprompt -alias oauth-lab -file ${word(ca)} \\
          -storetype PKCS12 -keystore lab-truststore.p12 -storepass changeit
        export OAUTH_LAB_CLIENT_SECRET="$(${secretCommand})"
        java -Djavax.net.ssl.trustStore=lab-truststore.p12 -Djavax.net.ssl.trustStorePassword=changeit \\
          -jar app.jar
      `,
    },
  ],
  notes: [
    'Spring reads application.yaml of the current folder, on top of the one in the jar. Before Boot 4 the starter is spring-boot-starter-oauth2-client.',
    'The truststore replaces the certificates of the JDK for this program. It holds a certificate alone, so its password protects nothing.',
    'For a resource server set spring.security.oauth2.resourceserver.jwt.issuer-uri to the same issuer, and jwt.audiences to the client.',
    'OidcClientInitiatedLogoutSuccessHandler with the address {baseUrl} logs out at the lab too.',
    'With oidcLogout, add to the client   backchannel_logout_uri: http://localhost:8080/logout/connect/back-channel/oauth-lab',
  ],
}
