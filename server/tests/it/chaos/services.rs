//! PostgreSQL, Neo4j and Redis for one test.

use crate::{
    prelude::*,
    service::{Kind, Service},
};

pub struct Services(Vec<Service>);

impl Services {
    /// Starts all three and waits until they answer.
    pub fn start(folder: &Path) -> Self {
        let mut services: Vec<Service> = Kind::ALL.map(|kind| Service::start(kind, folder)).into();
        services.iter_mut().for_each(Service::wait);
        Self(services)
    }

    pub fn port(&self, kind: Kind) -> u16 {
        self.0.iter().find(|service| service.kind == kind).unwrap().port
    }

    pub fn service_mut(&mut self, kind: Kind) -> &mut Service {
        self.0.iter_mut().find(|service| service.kind == kind).unwrap()
    }
}
