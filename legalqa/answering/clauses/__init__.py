"""The clause library: which clauses a contract has and lacks, each with its quote."""
