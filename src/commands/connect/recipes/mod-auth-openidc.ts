import { lines } from './lines.js'
import type { Recipe } from './recipe.js'

/** mod_auth_openidc in Apache: a part of a site that needs a login. The paths are those of Debian. */
export const modAuthOpenidc: Recipe = {
  name: 'mod_auth_openidc',
  aliases: ['apache', 'apache2', 'httpd'],
  title: 'mod_auth_openidc: a login in front of a path of Apache',
  checked: { version: 'mod_auth_openidc 2.4.12.3', by: 'test' },
  needs: ['Apache 2.4 of Debian or Ubuntu', 'sudo'],
  secret: true,
  labFile: {
    redirect_uris: ['http://127.0.0.1/protected/callback'],
    grant_types: ['authorization_code'],
  },
  lines: ({ issuer, ca, clientId, secretCommand, word }) => [
    { kind: 'install', lines: ['sudo apt-get install libapache2-mod-auth-openidc'] },
    {
      kind: 'file',
      file: 'oauth-lab.conf',
      lines: lines`
        OIDCProviderMetadataURL ${issuer}/.well-known/openid-configuration
        OIDCCABundlePath oauth-lab/ca.pem
        OIDCClientID ${JSON.stringify(clientId)}
        OIDCClientSecret "\${OAUTH_LAB_CLIENT_SECRET}"
        OIDCRedirectURI /protected/callback
        OIDCCryptoPassphrase "exec:/usr/bin/openssl rand -hex 32"
        OIDCScope "openid profile email"
        OIDCPKCEMethod S256

        <Location /protected>
          AuthType openid-connect
          Require valid-user
        </Location>
      `,
    },
    {
      kind: 'install',
      lines: lines`
        sudo install -d /etc/apache2/oauth-lab
        # The workers of Apache are another user, who cannot read the state folder of the lab.
        sudo install -m 0644 ${word(ca)} /etc/apache2/oauth-lab/ca.pem
        ${secretCommand} | sudo install -m 0600 /dev/stdin /etc/apache2/oauth-lab/secret
        echo 'export OAUTH_LAB_CLIENT_SECRET="$(cat /etc/apache2/oauth-lab/secret)"' |
          sudo tee -a /etc/apache2/envvars
        sudo install -m 0644 oauth-lab.conf /etc/apache2/conf-available/oauth-lab.conf
        sudo a2enmod auth_openidc
        sudo a2enconf oauth-lab
        sudo systemctl restart apache2
      `,
    },
  ],
  notes: [
    'Then open http://127.0.0.1/protected/ . The test takes the configuration alone, and starts an Apache of its own.',
    'libcurl in Apache reads no environment variable for its CA: OIDCCABundlePath names the file.',
  ],
}
