package io.weighbridge.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.weighbridge.ledger.http.HttpEdge;
import io.weighbridge.ledger.http.security.Scope;
import io.weighbridge.ledger.http.security.TokenFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.By;
import org.openqa.selenium.Dimension;
import org.openqa.selenium.Keys;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;
import org.openqa.selenium.support.ui.WebDriverWait;
import org.springframework.context.ConfigurableApplicationContext;

/** What a person sees in a real browser. Skipped, saying so, where Chromium and its driver are missing. */
class DashboardIT {

    private static final Path BROWSER = Path.of("/usr/bin/chromium");
    private static final Path DRIVER = Path.of("/usr/bin/chromedriver");
    private static final Path SHOTS = Path.of("target", "screenshots");

    private static StandInSuite suite;
    private static ConfigurableApplicationContext gateway;
    private static ChromeDriver browser;
    private static String origin;

    @BeforeAll
    static void openTheBrowser() throws IOException {
        if (!Files.isExecutable(BROWSER) || !Files.isExecutable(DRIVER)) {
            String reason = "no browser test: " + BROWSER + " or " + DRIVER + " is missing";
            System.out.println(reason);
            Assumptions.abort(reason);
        }
        Files.createDirectories(SHOTS);
        suite = new StandInSuite();
        gateway = start();
        origin = "http://127.0.0.1:" + HttpEdge.port(gateway);
        LoggingPreferences logs = new LoggingPreferences();
        logs.enable(LogType.BROWSER, Level.SEVERE);
        ChromeOptions options = new ChromeOptions()
                .setBinary(BROWSER.toFile())
                .addArguments(
                        "--headless",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--disable-dev-shm-usage",
                        "--disable-background-networking",
                        "--no-first-run",
                        "--user-data-dir=" + Files.createTempDirectory("weighbridge-browser"));
        options.setCapability("goog:loggingPrefs", logs);
        browser = new ChromeDriver(
                new ChromeDriverService.Builder()
                        .usingDriverExecutable(DRIVER.toFile())
                        .build(),
                options);
        browser.manage().window().setSize(new Dimension(1440, 1020));
    }

    private static ConfigurableApplicationContext start(String... further) {
        List<String> arguments = new ArrayList<>(List.of(
                "--server.port=0",
                "--weighbridge.services.metadata=" + suite.url(),
                "--weighbridge.services.lease=" + suite.url(),
                "--weighbridge.services.reconciliation=" + suite.url()));
        arguments.addAll(List.of(further));
        return Gateway.builder().run(arguments.toArray(String[]::new));
    }

    @AfterAll
    static void stop() {
        if (browser != null) {
            browser.quit();
        }
        if (gateway != null) {
            gateway.close();
            suite.close();
        }
    }

    @BeforeEach
    void anOrdinaryDay() {
        suite.hostile(false);
        suite.empty(false);
        suite.tokenNeeded(false);
        suite.reconcilerDown(false);
        // What the browser said of the test before is not this one's.
        complaints();
    }

    @AfterEach
    void forget() {
        browser.executeScript("sessionStorage.clear()");
    }

    private static void open(String path) {
        browser.get("about:blank");
        browser.get(origin + path);
    }

    private static WebElement find(String selector) {
        return browser.findElement(By.cssSelector(selector));
    }

    private static void sees(String selector, String... texts) {
        new WebDriverWait(browser, Duration.ofSeconds(15))
                .withMessage(() -> complaints() + selector + " shows "
                        + browser.findElements(By.cssSelector(selector)).stream()
                                .map(WebElement::getText)
                                .toList())
                .until(ready -> browser.findElements(By.cssSelector(selector)).stream()
                        .filter(WebElement::isDisplayed)
                        .map(WebElement::getText)
                        .anyMatch(text -> List.of(texts).stream().allMatch(text::contains)));
    }

    private static Path shot(String name) throws IOException {
        return Files.write(SHOTS.resolve(name + ".png"), browser.getScreenshotAs(OutputType.BYTES));
    }

    private static void scheme(String light) {
        browser.executeCdpCommand(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", light))));
    }

    private static List<String> complaints() {
        return browser.manage().logs().get(LogType.BROWSER).getAll().stream()
                .map(Object::toString)
                .toList();
    }

    @Test
    void theFleetAtAGlance() throws IOException {
        suite.happens("ImportBegun", "revision", "trainer/run-77", Map.of("revision", "2026-11-30-rc1"), 31);
        suite.happens("LeaseGranted", "lease", "serving/pool-a", Map.of("holder", "rank-17"), 22);
        suite.happens("OperationStarted", "revision", "ops", Map.of("revision", "2026-11-29"), 14);
        suite.happens("ReplicaCommitted", "replica", "service/reconciliation", Map.of(), 6);
        open("/");
        sees("#health", "ready");
        sees("#status", "18", "14 ready", "6 cold", "128", "operations, oldest 47 s", "2 / 3");
        sees("#catalog", "chat", "atlas-70b", "vision", "osprey-vit-l");
        sees("#revisions", "chat / atlas-70b", "2026-11-28", "READY", "HOT");
        sees("#revisions tbody tr:nth-child(2)", "MIXED", "Rehydrating", "61 %", "19 of 31 objects", "131 GiB");
        sees("#nodes li:nth-child(2)", "gpu-02", "LIVE", "498 GiB of 512 GiB");
        sees("#nodes li:nth-child(3)", "DRAINING");
        sees("#nodes li:nth-child(4)", "gpu-04", "SUSPECT");
        sees("#feed-state", "live");
        sees("#feed li:first-child", "Replica committed");
        assertThat(find("#nodes [role=progressbar]").getDomAttribute("aria-valuenow"))
                .isEqualTo("84");
        scheme("dark");
        shot("dashboard-dark");
        scheme("light");
        Path picture = shot("dashboard");
        if (Boolean.getBoolean("weighbridge.docs.write")) {
            Files.copy(
                    picture, Path.of("..", "docs", "dashboard.png"), java.nio.file.StandardCopyOption.REPLACE_EXISTING);
        }
        suite.happens("ImportCommitted", "revision", "trainer/run-77", Map.of("revision", "2026-11-30-rc1"), 0);
        sees("#feed li:first-child", "Import committed", "2026-11-30-rc1", "trainer/run-77");
        assertThat(complaints()).isEmpty();
    }

    @Test
    void aRevisionInDetailByKeyboard() throws IOException {
        open("/#/chat/atlas-70b");
        sees("#revisions", "2026-11-28");
        find("#revisions tbody button").sendKeys(Keys.ENTER);
        sees("#detail", "chat / atlas-70b @ 2026-11-28", "2 in memory, 1 cold", "stage=production");
        sees("#detail .layers", "manifest", "30 payloads, digest matches", "repair the revision");
        sees("#detail table", "model-00001-of-00030.safetensors", "4.5 GiB", "memory · gpu-02", "disk · gpu-04");
        shot("detail");
        browser.switchTo().activeElement().sendKeys(Keys.ESCAPE);
        new WebDriverWait(browser, Duration.ofSeconds(5))
                .until(closed -> !find("#detail").isDisplayed());
        assertThat(browser.switchTo().activeElement().getText()).isEqualTo("2026-11-28");
        assertThat(complaints()).isEmpty();
    }

    @Test
    void aHostileNameIsText() {
        suite.hostile(true);
        open("/");
        sees("#revisions tbody tr:nth-child(6)", StandInSuite.HOSTILE);
        assertThat(browser.findElements(By.cssSelector("main img"))).isEmpty();
        assertThat(complaints()).isEmpty();
    }

    @Test
    void anotherResourceIsChosen() {
        open("/");
        sees("#revisions", "2026-11-28");
        find("#catalog a[href='#/vision/osprey-vit-l']").click();
        sees("#revisions", "This resource has no revisions");
        assertThat(find("#catalog a[aria-current=page]").getText()).isEqualTo("osprey-vit-l");
    }

    @Test
    void anEmptyFleetSaysWhatToDo() throws IOException {
        suite.empty(true);
        open("/");
        sees("#catalog", "No weights yet");
        sees("#revisions", "No revisions yet");
        sees("#nodes", "No node has registered");
        sees("#status", "none yet");
        shot("empty");
    }

    @Test
    void trouble() throws IOException {
        open("/");
        sees("#status", "128");
        suite.reconcilerDown(true);
        sees("#status", "UNAVAILABLE", "the ledger cannot be reached", "Trying again", "128");
        sees("#nodes", "gpu-01");
        shot("trouble");
        suite.reconcilerDown(false);
        new WebDriverWait(browser, Duration.ofSeconds(15))
                .until(well -> !find("#status [data-note]").isDisplayed());
    }

    @Test
    void aSiteWithCredentialsAsksForAToken() throws IOException {
        Path tokens = SHOTS.resolve("tokens.json");
        TokenFile.write(tokens, List.of(TokenFile.Entry.of("right", "someone", "acme", Scope.WEIGHTS_READ)));
        suite.tokenNeeded(true);
        try (ConfigurableApplicationContext site = start("--weighbridge.security.token-file=" + tokens)) {
            browser.get("http://127.0.0.1:" + HttpEdge.port(site) + "/");
            sees("#token", "Bearer token");
            shot("token");
            find("#token-field").sendKeys("right", Keys.ENTER);
            sees("#revisions", "2026-11-28");
            sees("#feed-state", "live");
            assertThat(browser.executeScript("return localStorage.length + document.cookie.length"))
                    .isEqualTo(0L);
            find("#token-button").click();
            find("#token-forget").click();
            sees("#nodes", "UNAUTHENTICATED");
            browser.executeScript("sessionStorage.clear()");
            open("/");
        }
    }

    @Test
    void thePageTakesNothingFromElsewhere() {
        open("/");
        sees("#revisions", "2026-11-28");
        assertThat((List<?>) browser.executeScript("return performance.getEntriesByType('resource').map(e => e.name)"))
                .allMatch(name -> name.toString().startsWith(origin + "/"));
        assertThat((String) browser.executeScript("return (await fetch('/')).headers.get('content-security-policy')"))
                .startsWith("default-src 'self'");
    }

    @Test
    void aPhoneShowsItAllInOneColumn() throws IOException {
        browser.manage().window().setSize(new Dimension(500, 900));
        try {
            open("/");
            sees("#revisions", "2026-11-28");
            assertThat(browser.executeScript(
                            "return document.documentElement.scrollWidth <= document.documentElement.clientWidth"))
                    .isEqualTo(true);
            shot("phone");
        } finally {
            browser.manage().window().setSize(new Dimension(1440, 1020));
        }
    }

    @Test
    void swaggerUiShowsTheMergedDocument() throws IOException {
        open("/swagger-ui.html");
        sees("#swagger-ui .info", "Weighbridge");
        shot("swagger-ui");
        assertThat(complaints()).isEmpty();
    }
}
