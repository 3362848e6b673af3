package lab;

import static org.springframework.security.config.Customizer.withDefaults;

import java.security.Principal;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.core.annotation.Order;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.security.oauth2.client.OAuth2AuthorizedClient;
import org.springframework.security.oauth2.client.annotation.RegisteredOAuth2AuthorizedClient;
import org.springframework.security.oauth2.client.oidc.web.logout.OidcClientInitiatedLogoutSuccessHandler;
import org.springframework.security.oauth2.client.registration.ClientRegistrationRepository;
import org.springframework.security.oauth2.core.oidc.user.OidcUser;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** An application that logs people in, with an API for tokens. All its settings of the server come from the recipe. */
@SpringBootApplication
@RestController
public class LoginApplication {
  public static void main(String[] args) {
    SpringApplication.run(LoginApplication.class, args);
  }

  @Bean
  @Order(1)
  SecurityFilterChain api(HttpSecurity http) throws Exception {
    return http
        .securityMatcher("/api")
        .authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
        .oauth2ResourceServer(server -> server.jwt(withDefaults()))
        .build();
  }

  @Bean
  @Order(2)
  SecurityFilterChain pages(HttpSecurity http, ClientRegistrationRepository registrations) throws Exception {
    var atTheServerToo = new OidcClientInitiatedLogoutSuccessHandler(registrations);
    atTheServerToo.setPostLogoutRedirectUri("{baseUrl}");
    return http
        .authorizeHttpRequests(
            requests -> requests.requestMatchers("/").permitAll().anyRequest().authenticated())
        .oauth2Login(withDefaults())
        .logout(logout -> logout.logoutSuccessHandler(atTheServerToo))
        .oidcLogout(logout -> logout.backChannel(withDefaults()))
        .build();
  }

  @GetMapping("/")
  String home(Principal person) {
    return person == null ? "Nobody is logged in" : "Logged in as " + person.getName();
  }

  @GetMapping("/me")
  String me(@AuthenticationPrincipal OidcUser user) {
    return "Logged in as " + user.getName() + ", who is " + user.getFullName();
  }

  /** Spring refreshes a token that ends within a minute, before this runs. */
  @GetMapping("/token")
  String token(@RegisteredOAuth2AuthorizedClient("oauth-lab") OAuth2AuthorizedClient client) {
    return client.getAccessToken().getTokenValue();
  }

  @GetMapping("/api")
  String api(Principal caller) {
    return "Token of " + caller.getName();
  }
}
