import java.nio.file.Path;
import java.time.Duration;
import org.neo4j.configuration.FulltextSettings;
import org.neo4j.configuration.GraphDatabaseSettings;
import org.neo4j.configuration.connectors.BoltConnector;
import org.neo4j.configuration.helpers.SocketAddress;
import org.neo4j.dbms.api.DatabaseManagementServiceBuilder;

/** A Neo4j server for tests: Server.java FOLDER PORT. Bolt on loopback, no password, "ready" on standard output, until a signal. */
public class Server {
    public static void main(String[] arguments) throws InterruptedException {
        var folder = Path.of(arguments[0]);
        var port = Integer.parseInt(arguments[1]);
        var server = new DatabaseManagementServiceBuilder(folder)
                .setConfig(BoltConnector.enabled, true)
                .setConfig(BoltConnector.listen_address, new SocketAddress("127.0.0.1", port))
                .setConfig(GraphDatabaseSettings.auth_enabled, false)
                .setConfig(GraphDatabaseSettings.pagecache_memory, 64L * 1024 * 1024)
                // As docker-compose.yml has it.
                .setConfig(FulltextSettings.eventually_consistent_refresh_interval, Duration.ofSeconds(10))
                // Every test empties the database: statements are planned once and not again whenever it has another size.
                .setConfig(GraphDatabaseSettings.cypher_min_replan_interval, Duration.ofDays(1))
                .build();
        Runtime.getRuntime().addShutdownHook(new Thread(server::shutdown));
        System.out.println("ready");
        Thread.currentThread().join();
    }
}
