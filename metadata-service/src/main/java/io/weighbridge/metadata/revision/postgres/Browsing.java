package io.weighbridge.metadata.revision.postgres;

/** Distinct names, each found by one step in an index instead of a scan over all revisions. */
final class Browsing {

    static final String NAMESPACES = """
            WITH RECURSIVE step AS (
                (SELECT namespace AS name FROM metadata.revision
                  WHERE tenant_id = :tenant AND namespace > :after ORDER BY namespace LIMIT 1)
                UNION ALL
                SELECT (SELECT r.namespace FROM metadata.revision r
                         WHERE r.tenant_id = :tenant AND r.namespace > step.name ORDER BY r.namespace LIMIT 1)
                  FROM step WHERE step.name IS NOT NULL
            )
            SELECT name FROM step WHERE name IS NOT NULL LIMIT :limit
            """;

    static final String RESOURCES = """
            WITH RECURSIVE step AS (
                (SELECT resource_id AS name FROM metadata.revision
                  WHERE namespace_hash = :namespace_hash AND tenant_id = :tenant AND resource_id > :after
                  ORDER BY resource_id LIMIT 1)
                UNION ALL
                SELECT (SELECT r.resource_id FROM metadata.revision r
                         WHERE r.namespace_hash = :namespace_hash AND r.tenant_id = :tenant
                           AND r.resource_id > step.name
                         ORDER BY r.resource_id LIMIT 1)
                  FROM step WHERE step.name IS NOT NULL
            )
            SELECT name FROM step WHERE name IS NOT NULL LIMIT :limit
            """;

    static final String UNFINISHED = """
            SELECT revision_id AS name FROM metadata.revision
             WHERE revision_id > :after AND availability <> 'DELETED' ORDER BY revision_id LIMIT :limit
            """;

    private Browsing() {}
}
