import { lines } from './lines.js'
import type { Recipe } from './recipe.js'

/** Spring Boot with Spring Security: a registration and a provider, and a truststore with the CA. */
export const springBoot: Recipe = {
  name: 'spring-boot',
  aliases: ['spring', 'spring-security'],
  title: 'Spring Boot: a login by Spring Security',
  checked: { version: 'Spring Boot 4.0', by: 'documentation' },
  needs: ['a JDK', 'spring-security-oauth2-client on the class path'],
  secret: true,
  labFile: {
    redirect_uris: ['http://localhost:8080/login/oauth2/code/oauth-lab'],
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
        keytool -importcert -noprompt -alias oauth-lab -file ${word(ca)} \\
          -storetype PKCS12 -keystore lab-truststore.p12 -storepass changeit
        export OAUTH_LAB_CLIENT_SECRET="$(${secretCommand})"
        java -Djavax.net.ssl.trustStore=lab-truststore.p12 -Djavax.net.ssl.trustStorePassword=changeit \\
          -jar app.jar --spring.config.additional-location=file:./application.yaml
      `,
    },
  ],
  notes: [
    'The truststore replaces the certificates of the JDK for this program. It holds a certificate alone, so its password protects nothing.',
    'For a resource server set spring.security.oauth2.resourceserver.jwt.issuer-uri to the same issuer, and jwt.audiences to the client.',
  ],
}
