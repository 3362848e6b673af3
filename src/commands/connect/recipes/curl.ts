import { lines } from './lines.js'
import type { Recipe } from './recipe.js'

/** curl: the device grant, which needs no address to return to. */
export const curl: Recipe = {
  name: 'curl',
  title: 'curl: a login by the device grant, then requests with the token',
  checked: { version: 'curl 7.88', by: 'test' },
  needs: ['curl', 'jq'],
  builtIn: 'demo',
  secret: true,
  labFile: {
    redirect_uris: [],
    grant_types: ['urn:ietf:params:oauth:grant-type:device_code'],
  },
  lines: ({ issuer, resource, ca, clientId, secretCommand, word }) => [
    {
      kind: 'run',
      lines: lines`
        export CURL_CA_BUNDLE=${word(ca)}
        metadata=$(curl -sS ${word(`${issuer}/.well-known/openid-configuration`)})
        endpoint() { printf '%s' "$metadata" | jq -r ".$1_endpoint"; }
        # curl reads the secret and the token from stdin: other users of the computer see its arguments.
        client() { printf 'user = "%s:%s"\\n' ${word(clientId)} "$(${secretCommand})"; }

        device=$(client | curl -sS --config - -d scope="openid profile" "$(endpoint device_authorization)")
        printf '%s' "$device" | jq -r '"Open \\(.verification_uri_complete)"'

        wait=$(printf '%s' "$device" | jq .interval)
        error=authorization_pending
        while [ "$error" = authorization_pending ] || [ "$error" = slow_down ]; do
          [ "$error" != slow_down ] || wait=$((wait + 5))
          sleep "$wait"
          token=$(client | curl -sS --config - -d grant_type=urn:ietf:params:oauth:grant-type:device_code \\
            -d device_code="$(printf '%s' "$device" | jq -r .device_code)" "$(endpoint token)")
          error=$(printf '%s' "$token" | jq -r .error)
        done
        [ "$error" = null ] || echo "The login ended with $error"

        bearer() { printf 'header = "Authorization: Bearer %s"\\n' "$(printf '%s' "$token" | jq -r .access_token)"; }
        bearer | curl -sS --config - "$(endpoint userinfo)"
        bearer | curl -sS --config - ${word(`${resource}/resource`)}
      `,
    },
  ],
  notes: [],
}
